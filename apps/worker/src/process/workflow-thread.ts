// Loaded into the SDK's workflow thread before its code (workflow-threads.ts). Where nothing is built it is loaded from
// its source, by Node's type stripping: no relative import.
import v8 from 'node:v8';
import vm from 'node:vm';

/** The limit of uninterrupted.ts, which means "no limit". */
const noLimit = 4_294_967_295;

type RunInContext = (this: vm.Script, context: object, options?: vm.RunningScriptOptions | string) => unknown;
const runInContext = Reflect.get(vm.Script.prototype, 'runInContext') as RunInContext;

/** Node starts an operating system's thread for each call with a limit, which costs more than most of the calls. */
vm.Script.prototype.runInContext = function runWithoutWatchdog(context, options) {
  if (typeof options !== 'object' || options.timeout !== noLimit)
    return runInContext.call(this, context, options);
  const { timeout: _none, ...others } = options;
  return runInContext.call(this, context, others);
};

/**
 * Switches off the SDK's only hook. It would keep a stack trace of each promise, for Temporal's page of a run's call
 * stack: that page stays empty.
 */
v8.promiseHooks.createHook = () => () => undefined;
