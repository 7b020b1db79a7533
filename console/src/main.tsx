// Starts the console.
import './styles/main.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Failure, NotFound } from './app/failure.js';
import { startTheme } from './app/theme.js';
import { Loading } from './components/status.js';
import { queryClient } from './data/queries.js';
import { routeTree } from './route-table.js';

startTheme();

const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  // The cache of answers decides what is fresh.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: Failure,
  defaultPendingComponent: () => (
    <div className="p-6">
      <Loading />
    </div>
  ),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element for the console.');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
