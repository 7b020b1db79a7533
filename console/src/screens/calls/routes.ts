import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { PhoneCall, Radio } from 'lucide-react';
import type { NavigationEntry } from '../../app/areas.js';
import { appRoute } from '../../app/root-routes.js';
import { screenNames } from '../../strings/screen-names.js';
import { readCallsSearch } from './calls-search.js';

export const routes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/calls',
    validateSearch: readCallsSearch,
    component: lazyRouteComponent(() => import('./calls-screen.js'), 'CallsScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/live-calls',
    component: lazyRouteComponent(() => import('./live-calls-screen.js'), 'LiveCallsScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/calls/$callId',
    component: lazyRouteComponent(() => import('./call-screen.js'), 'CallScreen'),
  }),
] as const;

export const navigation: readonly NavigationEntry[] = [
  { to: '/live-calls', label: screenNames.calls.liveTitle, area: 'work', icon: Radio, order: 10 },
  { to: '/calls', label: screenNames.calls.title, area: 'work', icon: PhoneCall, order: 11 },
];
