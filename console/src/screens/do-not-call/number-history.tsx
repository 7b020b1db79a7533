// The changes of one number on the list, with their authors and reasons.
import type { SuppressionFact } from '@parlance/client';
import { Link } from '@tanstack/react-router';
import { useAuthor } from '../../app/author.js';
import { Answered } from '../../components/answered.js';
import { Dialog } from '../../components/dialog.js';
import { Moment } from '../../components/values.js';
import { useOperation } from '../../data/queries.js';
import { doNotCallStrings } from '../../strings/do-not-call.js';

const strings = doNotCallStrings.history;

const Fact = ({
  fact: { change, source, actor, callId, reason, at },
  authorOf,
}: {
  readonly fact: SuppressionFact;
  readonly authorOf: (actor: string) => string;
}) => (
  <li className="flex flex-col gap-0.5 border-line border-b py-2 last:border-b-0">
    <span className="font-medium">
      {change === 'removed' ? strings.removed : strings.added[source]}
      {source === 'request' && ` · ${authorOf(actor)}`}
    </span>
    <span className="text-sm text-ink-soft">
      <Moment at={at} />
      {reason !== null && (
        <>
          {' · '}
          <bdi>{reason}</bdi>
        </>
      )}
    </span>
    {callId !== null && (
      <Link to="/calls/$callId" params={{ callId }} className="link text-sm">
        {strings.call}
      </Link>
    )}
  </li>
);

export const NumberHistory = ({
  phoneNumber,
  onClose,
}: {
  readonly phoneNumber: string;
  readonly onClose: () => void;
}) => {
  const facts = useOperation('suppressions.history', { query: { phoneNumber } });
  const authorOf = useAuthor(strings.authors);
  return (
    <Dialog open onClose={onClose} title={strings.title(phoneNumber)} text={strings.text}>
      <Answered query={facts}>
        {(all) =>
          all.length === 0 ? (
            <p className="text-ink-soft">{strings.empty}</p>
          ) : (
            <ul>
              {all.map((fact) => (
                <Fact key={`${fact.at} ${fact.change} ${fact.callId}`} fact={fact} authorOf={authorOf} />
              ))}
            </ul>
          )
        }
      </Answered>
    </Dialog>
  );
};
