// Runs a process of the platform in its container: serve.js <process> [arguments]. Tracing patches the modules of libraries as they
// are loaded, and a bundle has no such modules. A traced process is therefore loaded module by module.
import { fileURLToPath } from 'node:url';
import { telemetryVariables, wantsTraces } from '@parlance/observability';

const [node = '', , name = '', ...args] = process.argv;
const folders: Readonly<Record<string, string>> = { gateway: 'gateway', 'text-runtime': 'runtime/process' };
const folder = folders[name] ?? `services/${name}`;

const isTraced = wantsTraces(telemetryVariables());
if (isTraced) await import(import.meta.resolve('@parlance/observability/preload'));
const path = isTraced ? `../../../${folder}/dist/main.js` : `./programs/${name}.js`;
const program = new URL(path, import.meta.url);

process.argv = [node, fileURLToPath(program), ...args];
await import(program.href);
