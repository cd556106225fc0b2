import { METADATA_ENCODING_KEY, type Payload } from '@temporalio/common';
import proto from '@temporalio/proto';
import { type Place, readShortPlace, writePlace, writeShortPlace } from './place.js';

const { Payload: PayloadMessage } = proto.temporal.api.common.v1;

/** How a payload is written with its place, before both are encrypted. A history holds it each time, so it is short. */
interface Form {
  readonly metadata: Readonly<Record<string, Uint8Array>>;
  /** Separates these ciphertexts from others under the same keys. */
  readonly context: string;
  writePlace(place: Place): string;
  /** @returns the place as `writePlace` of place.ts writes it. */
  readPlace(text: string): string;
  writePayload(payload: Payload): Uint8Array;
  readPayload(bytes: Buffer): Payload;
}

/** The encodings of payloads that hold their place. */
export type SealedEncoding = 'sealed/2' | 'binary/sealed';

/** By the encoding that a stored payload names. */
export const forms: Readonly<Record<SealedEncoding, Form>> = {
  'sealed/2': {
    metadata: { [METADATA_ENCODING_KEY]: Buffer.from('sealed/2') },
    context: 'temporal-payload/2',
    writePlace: writeShortPlace,
    readPlace: (text) => writePlace(readShortPlace(text)),
    writePayload: writeShortPayload,
    readPayload: readShortPayload,
  },
  'binary/sealed': {
    metadata: { [METADATA_ENCODING_KEY]: Buffer.from('binary/sealed') },
    context: 'temporal-payload',
    writePlace,
    readPlace: (text) => text,
    writePayload: (payload) => PayloadMessage.encode(payload).finish(),
    readPayload: (bytes) => PayloadMessage.decode(bytes),
  },
};

/** @returns undefined for any other encoding. */
export function formOf(encoding: string): Form | undefined {
  return Object.hasOwn(forms, encoding) ? forms[encoding as SealedEncoding] : undefined;
}

/**
 * The length of the place in two bytes, the place, the payload.
 *
 * @param place absent: bound to nowhere.
 */
export function writeBound(form: Form, payload: Payload, place: Place | undefined): Buffer {
  const text = Buffer.from(place ? form.writePlace(place) : '');
  const length = Buffer.from([text.length >> 8, text.length & 0xff]);
  return Buffer.concat([length, text, form.writePayload(payload)]);
}

/** @returns the payload, and its place as `writePlace` of place.ts writes it; empty if it is bound to nowhere. */
export function readBound(form: Form, bytes: Buffer): { readonly plain: Payload; readonly place: string } {
  const payloadAt = 2 + bytes.readUInt16BE(0);
  const text = bytes.toString('utf8', 2, payloadAt);
  const place = text === '' ? '' : form.readPlace(text);
  return { plain: form.readPayload(bytes.subarray(payloadAt)), place };
}

/** The beginning of almost all payloads: that they are JSON. */
const jsonBeginning = Buffer.from(
  PayloadMessage.encode({ metadata: { [METADATA_ENCODING_KEY]: Buffer.from('json/plain') } }).finish(),
);
const [isWhole, isWithoutBeginning] = [Buffer.from([0]), Buffer.from([1])];

function writeShortPayload(payload: Payload): Buffer {
  const message = PayloadMessage.encode(payload).finish();
  const isJson = jsonBeginning.equals(message.subarray(0, jsonBeginning.length));
  return isJson
    ? Buffer.concat([isWithoutBeginning, message.subarray(jsonBeginning.length)])
    : Buffer.concat([isWhole, message]);
}

function readShortPayload(bytes: Buffer): Payload {
  const message = bytes.subarray(1);
  return PayloadMessage.decode(bytes[0] === 0 ? message : Buffer.concat([jsonBeginning, message]));
}
