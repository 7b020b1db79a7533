// A stand-in as a process of its own. It has its URL on the first line of output, its fault switches where they are asked
// for, and an orderly end.
import { startFaultControl } from './fault-control.js';
import type { SwitchBoard } from './fault-switches.js';

export interface StandInProcess {
  /** The URL on the first line of output. */
  readonly url: string;
  readonly stop: () => Promise<void>;
  /** The engine's name in requests that set its faults: `POST /faults {"engine": ...}`. */
  readonly engine: string;
  readonly faults: SwitchBoard;
  /** Of the fault switches' control, as the command line gave it; none unless given. */
  readonly controlPort: string | undefined;
}

const end = (code: number, message = ''): void => {
  process.stderr.write(message);
  process.exit(code);
};

/** Serves until SIGINT or SIGTERM. The control's token is SANDBOX_CONTROL_TOKEN of the environment. */
export const serveProcess = async ({
  url,
  stop,
  engine,
  faults,
  controlPort,
}: StandInProcess): Promise<void> => {
  const { SANDBOX_CONTROL_TOKEN: token } = process.env;
  if (controlPort !== undefined && !token) {
    await stop();
    end(2, '--control-port needs SANDBOX_CONTROL_TOKEN in the environment\n');
  }
  const control =
    controlPort === undefined || !token
      ? undefined
      : await startFaultControl({ port: Number(controlPort), token, engines: { [engine]: faults } });
  process.stdout.write(`${url}\n`);
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      Promise.all([stop(), control?.stop()]).then(
        () => end(0),
        (error: unknown) => end(1, `could not stop cleanly: ${String(error)}\n`),
      );
    });
};
