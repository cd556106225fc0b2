export {
  type CodecSessionRow,
  findCodecSession,
  getCodecSession,
  listCodecSessions,
  notePayloadsShown,
  openCodecSession,
  revokeCodecSession,
  signInByLink,
} from './codec-sessions.js';
