export { encryptingDataConverter, replayDataConverter, workerDataConverter } from './data-converter.js';
export { claimedPlace, type CodecKeys, EncryptingCodec, isEncrypted } from './encrypting-codec.js';
export { openSealedText, sealText } from './sealed-text.js';
