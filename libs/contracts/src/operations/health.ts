import { Health, Ready } from '../values/health.js';
import { operation } from './operation.js';
import { nobody, resource } from './parts.js';

const common = {
  section: '4.1',
  service: 'gateway',
  auth: nobody,
  bucket: 'none',
  method: 'GET',
  success: 200,
} as const;

export const healthOperations = {
  healthLive: operation({
    ...common,
    id: 'health.live',
    path: '/health',
    mcp: resource('get_health'),
    summary: 'Check whether the gateway is alive',
    description: 'A liveness probe: succeeds as long as the gateway process runs, and checks nothing else.',
    data: Health,
    message: 'Alive',
    errors: [],
  }),
  healthReady: operation({
    ...common,
    id: 'health.ready',
    path: '/ready',
    mcp: resource('get_readiness'),
    summary: 'Check whether the platform is ready, by dependency',
    description:
      'Checks every service and engine behind the gateway. Responds with 503 while a dependency that requests need is unavailable; the body names it.',
    data: Ready,
    message: 'Ready',
    errors: ['NOT_READY'],
  }),
} as const;
