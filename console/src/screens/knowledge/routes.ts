import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { BookOpen } from 'lucide-react';
import type { NavigationEntry } from '../../app/areas.js';
import { appRoute } from '../../app/root-routes.js';
import { screenNames } from '../../strings/screen-names.js';

export interface KnowledgeSearch {
  /** Id of the agent whose knowledge is shown. */
  readonly agent?: string;
  /** Id of the source that is being changed. */
  readonly edit?: string;
}

const idOf = (search: Record<string, unknown>, name: keyof KnowledgeSearch) => {
  const value = search[name];
  return typeof value === 'string' && value !== '' ? { [name]: value } : {};
};

export const routes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/knowledge',
    validateSearch: (search: Record<string, unknown>): KnowledgeSearch => ({
      ...idOf(search, 'agent'),
      ...idOf(search, 'edit'),
    }),
    component: lazyRouteComponent(() => import('./knowledge-screen.js'), 'KnowledgeScreen'),
  }),
] as const;

export const navigation: readonly NavigationEntry[] = [
  { to: '/knowledge', label: screenNames.knowledge.title, area: 'build', icon: BookOpen, order: 10 },
];
