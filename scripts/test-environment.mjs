// Test files run in the realm of the worker itself, so that libraries are loaded once (see test-runtime.mjs). After each
// test file, its traces in shared things are removed. These are variables, listeners and `exit` of the process, the
// console, and the providers of OpenTelemetry.
import { ModernFakeTimers } from '@jest/fake-timers';
import { context, diag, metrics, propagation, trace } from '@opentelemetry/api';
import { ModuleMocker } from 'jest-mock';

const listenersOf = (emitter) =>
  new Map(emitter.eventNames().map((name) => [name, emitter.rawListeners(name)]));

/** @returns a function that takes back all changes of the process from now on */
const rememberProcess = () => {
  const variables = { ...process.env };
  const before = listenersOf(process);
  const { exit } = process;
  return () => {
    process.exit = exit;
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
    Object.assign(process.env, variables);
    for (const [name, listeners] of listenersOf(process))
      for (const listener of listeners)
        if (!before.get(name)?.includes(listener)) process.removeListener(name, listener);
  };
};

export default class WorkerEnvironment {
  global = globalThis;
  #conditions;
  #restoreProcess = rememberProcess();
  #console = console;

  constructor({ projectConfig }) {
    this.#conditions = projectConfig.testEnvironmentOptions.customExportConditions;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    globalThis.global = globalThis;
    // Enough of a stack to find the line of the test.
    Error.stackTraceLimit = 100;
  }

  exportConditions() {
    return this.#conditions;
  }

  /** Jest asks whether there is one; test-runtime.mjs compiles without. */
  getVmContext() {
    return globalThis;
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.#restoreProcess();
    globalThis.console = this.#console;
    for (const api of [context, diag, metrics, propagation, trace]) api.disable();
  }
}
