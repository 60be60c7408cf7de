export { recentRequests, RequestHistory, sweepRequests, type ShownRequest } from './request-log.js';
