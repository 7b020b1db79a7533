// A record that is not there: deleted, of another organization, or mistyped.
import { isApiError } from '@parlance/client';
import { ButtonLink } from './button.js';
import { EmptyState } from './card.js';
import { Page } from './page.js';

/** True where the platform says that there is no such record, or that the address can be that of none. */
export const notFoundIn = (error: unknown): boolean =>
  isApiError(error) && (error.status === 404 || error.status === 400);

export const NotFound = ({
  title,
  text,
  back,
}: {
  readonly title: string;
  readonly text: string;
  readonly back: { readonly to: string; readonly label: string };
}) => (
  <Page title={title} back={back}>
    <EmptyState title={text} action={<ButtonLink to={back.to}>{back.label}</ButtonLink>} />
  </Page>
);
