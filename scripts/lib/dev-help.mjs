// The help of `npm run dev`. Read before anything is installed or compiled.
import { processesIn } from './registry.mjs';

export const help = (root) => `npm run dev -- [service ...] [options]

Runs the platform like npm start, with the given services from their TypeScript sources: a service restarts within seconds
when a file that it uses changes. Without a name, the gateway and all services.

  Services:          ${processesIn(root)
    .map(({ name }) => name)
    .join(', ')}
  --port <n>         port of the gateway (default: 4700, or a free one)
  --data-dir <path>  folder for all data (default: .parlance)
  --help             show this help

Set any variable of docs/configuration.md in the environment. LOG_LEVEL=debug shows more.
`;
