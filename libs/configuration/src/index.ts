export { httpAddress } from './addresses.js';
export {
  agreeing,
  type ApplicationName,
  type Disagreement,
  engineDisagreements,
  uiDisagreements,
  nameOf,
  repeated,
} from './agreement.js';
export {
  codecKeysOf,
  engineEnvironment,
  metricsPort,
  milliseconds,
  portVariable,
  type ProviderApplication,
  type ServedApplication,
  servingEnvironment,
} from './engine.js';
export { ConfigurationError, jsonVariable, readEnvironment } from './environment.js';
export { migrationEnvironment } from './migration.js';
export { purgeEnvironment } from './retention.js';
export { tracingOf } from './tracing.js';
export { temporalSecurityOf } from './temporal.js';
