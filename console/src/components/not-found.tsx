// A record that is not there: deleted, of another organization, or mistyped.
import { isApiError } from '@parlance/client';
import { componentStrings as strings } from '../strings/components.js';
import { ButtonLink } from './button.js';
import { EmptyState } from './card.js';
import { Page } from './page.js';

/** True where the platform says that there is no such record, or that the address can be that of none. */
export const notFoundIn = (error: unknown): boolean =>
  isApiError(error) && (error.status === 404 || error.status === 400);

interface Back {
  readonly to: string;
  readonly label: string;
}

export const NotFound = ({
  title,
  text,
  back,
}: {
  readonly title: string;
  readonly text: string;
  readonly back: Back;
}) => (
  <Page title={title} back={back}>
    <EmptyState title={text} action={<ButtonLink to={back.to}>{back.label}</ButtonLink>} />
  </Page>
);

/** True for an id that an address names and that no row has; false until the rows are known. */
export const isMissing = (
  rows: readonly { readonly id: string }[] | undefined,
  id: string | undefined,
): boolean => {
  if (id === undefined || rows === undefined) return false;
  return !rows.some((row) => row.id === id);
};

/** For a screen about one agent: another agent in its place would be taken for it. */
export const NoSuchAgent = ({ back }: { readonly back: Back }) => (
  <NotFound title={strings.noSuchAgent} text={strings.noSuchAgentText} back={back} />
);
