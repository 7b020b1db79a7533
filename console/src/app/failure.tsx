// The page in place of a screen that cannot be shown.
import type { ErrorComponentProps } from '@tanstack/react-router';
import { Button, ButtonLink } from '../components/button.js';
import { ErrorNote } from '../components/error-note.js';
import { Page } from '../components/page.js';
import { Notice } from '../components/status.js';
import { appStrings as strings } from '../strings/app.js';
import { componentStrings } from '../strings/components.js';

/** A file of an older release that the platform no longer has. */
const isOldFile = (error: unknown): boolean =>
  error instanceof TypeError &&
  navigator.onLine &&
  /dynamically imported module|module script failed|preload/i.test(error.message);

export const Failure = ({ error, reset }: ErrorComponentProps) => (
  <Page title={strings.failed}>
    {isOldFile(error) ? (
      <Notice tone="attention">
        <p>{componentStrings.newVersion}</p>
        <Button className="mt-2" onClick={() => location.reload()}>
          {componentStrings.reload}
        </Button>
      </Notice>
    ) : (
      <ErrorNote error={error} retry={reset} />
    )}
  </Page>
);

export const NotFound = () => (
  <Page title={strings.notFound} intro={strings.notFoundText}>
    <div>
      <ButtonLink to="/">{strings.toOverview}</ButtonLink>
    </div>
  </Page>
);
