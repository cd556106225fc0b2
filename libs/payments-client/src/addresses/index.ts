export {
  type AddressRule,
  type Resolve,
  checkedLookup,
  internalAddressCode,
  resolveHost,
} from './checked-lookup.js';
export { isInternalAddress, isInternalHost } from './internal-address.js';
