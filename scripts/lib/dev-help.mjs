// The help of `npm run dev`. Read before anything is installed or compiled.
import { processesIn } from './registry.mjs';

export const help = (root) => `npm run dev -- [service ...] [options]

Runs the platform as npm start does, with some services from their TypeScript sources: after an edit of a file that such a
service uses, its process is replaced within seconds. Without a name, the gateway and every service.

  Services:          ${processesIn(root)
    .map(({ name }) => name)
    .join(', ')}
  --port <n>         port of the gateway (default: 4700, or a free one)
  --data-dir <path>  folder that keeps all data (default: .parlance)
  --help             this text

Every variable of docs/configuration.md may be set in the environment, as for npm start. LOG_LEVEL=debug shows more.
`;
