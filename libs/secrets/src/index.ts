export {
  openSealed,
  parseSealingKeys,
  SealBrokenError,
  sealBytes,
  type SealingKey,
} from './secret-box.js';
