export { COOKIE_LIMITS, CookieInputError, isOfHosts, LoginCookies } from './login-cookies.js';
export { OpenProfiles, type SealLogin } from './open-profiles.js';
export { ProfileBox } from './profile-box.js';
export {
  deleteProfile,
  deleteTenantProfiles,
  findProfile,
  listProfiles,
  MAX_PROFILES,
  type LoginProfile,
  putProfile,
  sweepProfiles,
} from './profiles.js';
