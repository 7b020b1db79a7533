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
    summary: 'Tell whether the interface is alive',
    description:
      'Answers as long as the gateway itself runs. It looks at nothing else, so it is a liveness probe.',
    data: Health,
    message: 'Alive',
    errors: [],
  }),
  healthReady: operation({
    ...common,
    id: 'health.ready',
    path: '/ready',
    mcp: resource('get_readiness'),
    summary: 'Tell whether the platform can serve, dependency by dependency',
    description:
      'Looks at each service and engine behind the gateway. The status is 503 while one of them that requests need is away; the body names it.',
    data: Ready,
    message: 'Ready',
    errors: ['NOT_READY'],
  }),
} as const;
