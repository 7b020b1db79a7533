// The three routes that every screen hangs on. They are the root, pages for people who are not signed in, and pages of the shell.
import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { Failure, NotFound } from './failure.js';
import { Root } from './root.js';
import { readSession } from './session.js';

export const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: NotFound,
  errorComponent: Failure,
});

/** Screens before the sign-in. */
export const guestRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'guest',
  component: lazyRouteComponent(() => import('./guest-frame.js'), 'GuestFrame'),
});

/** Screens behind the sign-in. A stranger is sent to it, and comes back afterwards. */
export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  beforeLoad: async ({ location }) => {
    if ((await readSession()) === undefined)
      throw redirect({ to: '/sign-in', search: { next: location.href } });
  },
  component: lazyRouteComponent(() => import('./shell.js'), 'Shell'),
});
