import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { PhoneOutgoing } from 'lucide-react';
import type { NavigationEntry, PaletteAction } from '../../app/areas.js';
import { appRoute } from '../../app/root-routes.js';
import { screenNames } from '../../strings/screen-names.js';
import { readOutboundSearch } from './outbound-search.js';

export const routes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/outbound-calls',
    validateSearch: readOutboundSearch,
    component: lazyRouteComponent(() => import('./outbound-calls-screen.js'), 'OutboundCallsScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/outbound-calls/new',
    validateSearch: ({ agent }: Record<string, unknown>): { readonly agent?: string } =>
      typeof agent === 'string' ? { agent } : {},
    component: lazyRouteComponent(() => import('./quick-call-screen.js'), 'QuickCallScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/outbound-calls/$outboundId',
    component: lazyRouteComponent(() => import('./outbound-call-screen.js'), 'OutboundCallScreen'),
  }),
] as const;

export const navigation: readonly NavigationEntry[] = [
  {
    to: '/outbound-calls',
    label: screenNames.outboundCalls.title,
    area: 'work',
    icon: PhoneOutgoing,
    order: 12,
  },
];

export const actions: readonly PaletteAction[] = [
  { label: screenNames.outboundCalls.quickTitle, to: '/outbound-calls/new' },
];
