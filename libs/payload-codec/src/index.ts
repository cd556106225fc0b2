export { encryptingDataConverter, replayDataConverter, workerDataConverter } from './data-converter.js';
export { type CodecKeys, EncryptingCodec, isEncrypted, type OpenedPayload } from './encrypting-codec.js';
export { openSealedText, sealText } from './sealed-text.js';
