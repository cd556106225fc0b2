import { type Interceptor, InterceptingCall, status } from '@grpc/grpc-js';
import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import { encryptingDataConverter, type CodecKeys } from '#payload-codec';

export interface TemporalClientOptions {
  /** host:port of the gRPC frontend. */
  readonly address: string;
  readonly namespace: string;
  readonly codecKeys: CodecKeys;
  /** The sort of process that calls, as Temporal's UI shows it. */
  readonly caller: 'api' | 'worker';
}

/** A client that connects when it is first used, so that a process starts, and takes webhooks, while Temporal is away. */
export function openTemporalClient({ address, namespace, codecKeys, caller }: TemporalClientOptions): Client {
  const connection = Connection.lazy({
    address,
    // A few quick tries; callers have a deadline and an answer to give.
    interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions({ maxAttempts: 4 })), failWhenClosed],
    // gRPC's own reconnect back-off grows to two minutes, and a Temporal that is back should be found at once.
    channelArgs: {
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.min_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 1_000,
      'grpc.keepalive_time_ms': 10_000,
      // A server that is starved answers late; every call has a deadline of its own.
      'grpc.keepalive_timeout_ms': 10_000,
      'grpc.keepalive_permit_without_calls': 1,
    },
  });
  return new Client({
    connection,
    namespace,
    dataConverter: encryptingDataConverter(codecKeys),
    identity: `${caller}-${process.pid}`,
  });
}

/**
 * A repeat that comes due after the connection was closed fails as its call: grpc-js throws, and out of the timer of the
 * retry interceptor that would end the process.
 */
const failWhenClosed: Interceptor = (options, nextCall) => {
  try {
    return new InterceptingCall(nextCall(options));
  } catch (error) {
    const details = error instanceof Error ? error.message : String(error);
    return new InterceptingCall({
      start: (metadata, listener) =>
        listener?.onReceiveStatus?.({ code: status.CANCELLED, details, metadata }),
      cancelWithStatus: () => undefined,
      getPeer: () => '',
      sendMessageWithContext: () => undefined,
      sendMessage: () => undefined,
      startRead: () => undefined,
      halfClose: () => undefined,
      getAuthContext: () => null,
    });
  }
};
