import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Megaphone } from 'lucide-react';
import type { NavigationEntry, PaletteAction } from '../../app/areas.js';
import { appRoute } from '../../app/root-routes.js';
import { screenNames } from '../../strings/screen-names.js';
import { readCampaignsSearch } from './campaigns-search.js';
import { readPeopleSearch } from './people-search.js';
import { type StepId, stepIds } from './wizard-steps.js';

export interface WizardSearch {
  /** The first step unless said. */
  readonly step?: StepId;
}

export const routes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/campaigns',
    validateSearch: readCampaignsSearch,
    component: lazyRouteComponent(() => import('./campaigns-screen.js'), 'CampaignsScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/campaigns/new',
    validateSearch: ({ step }: Record<string, unknown>): WizardSearch => {
      const found = stepIds.find((id) => id === step);
      return found === undefined ? {} : { step: found };
    },
    component: lazyRouteComponent(() => import('./new-campaign-screen.js'), 'NewCampaignScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/campaigns/$campaignId',
    validateSearch: readPeopleSearch,
    component: lazyRouteComponent(() => import('./campaign-screen.js'), 'CampaignScreen'),
  }),
] as const;

export const navigation: readonly NavigationEntry[] = [
  { to: '/campaigns', label: screenNames.campaigns.title, area: 'work', icon: Megaphone, order: 20 },
];

export const actions: readonly PaletteAction[] = [
  { label: screenNames.campaigns.create, to: '/campaigns/new' },
];
