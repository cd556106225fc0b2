import { type Interceptor, InterceptingCall, status } from '@grpc/grpc-js';
import {
  Client,
  Connection,
  type ConnectionOptions,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type WorkflowClientInterceptor,
} from '@temporalio/client';
import { encryptingDataConverter, type CodecKeys } from '#payload-codec';

export interface TemporalClientOptions {
  /** host:port of the gRPC frontend. */
  readonly address: string;
  readonly namespace: string;
  /** How the connection is protected; absent: in the clear. */
  readonly security?: Pick<ConnectionOptions, 'tls' | 'apiKey'> | undefined;
  readonly codecKeys: CodecKeys;
  /** The kind of process that calls; Temporal's UI shows it. */
  readonly caller: 'api' | 'worker';
  readonly interceptors?: WorkflowClientInterceptor[];
}

/** A client that connects on first use, so that a process can start and receive webhooks while Temporal is away. */
export function openTemporalClient(options: TemporalClientOptions): Client {
  const { address, namespace, security, codecKeys, caller, interceptors = [] } = options;
  const connection = Connection.lazy({
    address,
    ...security,
    // A few quick retries: callers have a deadline and must answer.
    interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions({ maxAttempts: 4 })), failWhenClosed],
    // gRPC's own reconnect back-off grows to two minutes; a Temporal that is back must be found sooner.
    channelArgs: {
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.min_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 1_000,
      'grpc.keepalive_time_ms': 10_000,
      // An overloaded server answers late; every call has its own deadline anyway.
      'grpc.keepalive_timeout_ms': 10_000,
      'grpc.keepalive_permit_without_calls': 1,
    },
  });
  return new Client({
    connection,
    namespace,
    dataConverter: encryptingDataConverter(codecKeys),
    identity: `${caller}-${process.pid}`,
    interceptors: { workflow: interceptors },
  });
}

/**
 * Rejects a retry that is due after the connection was closed. Otherwise grpc-js throws inside the retry interceptor's
 * timer, which would end the process.
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
