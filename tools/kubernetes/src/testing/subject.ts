// The manifests as they are in this checkout, for tests.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseCompose, processes } from '@parlance/compose';
import { metricsPage } from '@parlance/metrics';
import type { Subject } from '../check/check.js';
import { isSecret, platform } from '../platform.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

export const sources = { compose: read('docker-compose.yml'), read };

export const composeImages: readonly string[] = Object.values(
  parseCompose(sources.compose).file?.services ?? {},
).map(({ image = '' }) => image.replace(/^\$\{[A-Z_]+:-(.*)\}$/, '$1'));

export const currentSubject = (): Subject => ({
  platform: platform(sources),
  processes,
  folders: ['gateway', ...readdirSync(join(root, 'services'))],
  composeImages,
  isSecret,
  metrics: metricsPage(),
  postgres: read('deploy/kubernetes/engines/postgres.yaml'),
});
