export {
  type CodecSessionRow,
  findCodecSession,
  listCodecSessions,
  notePayloadsShown,
  openCodecSession,
  revokeCodecSession,
  signInByLink,
} from './codec-sessions.js';
