// One campaign: how far it is, what became of its people, and why it waits.
import type { BatchCampaign } from '@parlance/client';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Guarded } from '../../app/permission.js';
import { Answered } from '../../components/answered.js';
import { Button, ButtonLink } from '../../components/button.js';
import { Card, StatTile } from '../../components/card.js';
import { confirmThat } from '../../components/confirm.js';
import { CopyAsCurl } from '../../components/copy-as-curl.js';
import { NotFound, notFoundIn } from '../../components/not-found.js';
import { Page } from '../../components/page.js';
import { Notice, Progress, StatusBadge } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { CopyableId, Money } from '../../components/values.js';
import { useCommand } from '../../data/commands.js';
import { useOperation } from '../../data/queries.js';
import { campaignStrings as strings } from '../../strings/campaigns.js';
import { durationText, moneyText, numberText } from '../../strings/format.js';
import { CampaignPeople } from './campaign-people.js';
import { CampaignSettings } from './campaign-settings.js';
import { isOpen, openPeople, reasonText, toneOf } from './campaign-words.js';
import { FileWarnings } from './file-warnings.js';
import { OutcomeBars } from './outcome-bars.js';
import { OutcomesByHour } from './outcomes-by-hour.js';
import { useCurrency } from './use-currency.js';

const route = getRouteApi('/app/campaigns/$campaignId');
const back = { to: '/campaigns', label: strings.back };
const refreshMs = 2_000;
const hoursEveryMs = 10_000;
const minuteMs = 60_000;

const CancelCampaign = ({ campaign: { id, name, progress } }: { readonly campaign: BatchCampaign }) => {
  const cancel = useCommand('outboundCalls.cancelBatch');
  const open = openPeople(progress);
  const ask = (): void =>
    confirmThat({
      title: strings.cancelTitle(name),
      text: strings.cancelText(open, numberText(open)),
      action: strings.cancel,
      wish: cancel.wish({ params: { campaignId: id } }),
      done: () => toast.done(strings.cancelled(name)),
    });
  return (
    <Guarded operation="outboundCalls.cancelBatch">
      <Button kind="danger" onClick={ask}>
        {strings.cancel}
      </Button>
    </Guarded>
  );
};

const Tiles = ({ campaign }: { readonly campaign: BatchCampaign }) => {
  const { progress, costMicros, budget, estimate } = campaign;
  const currency = useCurrency();
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <StatTile
        name={strings.finish}
        value={`${numberText(Math.floor(progress.percent))} %`}
        remark={
          estimate === null || !isOpen(campaign.status)
            ? undefined
            : strings.finishText(durationText(estimate.minutes * minuteMs))
        }
      />
      <StatTile
        name={strings.people}
        value={numberText(progress.total)}
        remark={strings.peopleText(numberText(openPeople(progress)))}
      />
      <StatTile name={strings.attempts} value={numberText(progress.attempts)} remark={strings.attemptsText} />
      <StatTile
        name={strings.spent}
        value={<Money micros={costMicros} currency={currency} />}
        remark={
          budget === null ? strings.noBudget : strings.ofBudget(moneyText(budget.maxCostMicros, currency))
        }
      />
    </div>
  );
};

const File = ({ campaign: { file, sourceFileName, status } }: { readonly campaign: BatchCampaign }) => (
  <Card title={strings.file}>
    <div className="flex flex-col gap-3">
      <p>
        <bdi className="font-medium break-words">{sourceFileName}</bdi>
        <span className="block text-ink-soft">
          {status === 'validating'
            ? strings.reading
            : strings.fileRows(numberText(file.rows), numberText(file.accepted))}
        </span>
      </p>
      <FileWarnings warnings={file.warnings} />
      {status !== 'validating' && file.errors.length > 0 && (
        <p>
          <Link to="." search={{ people: 'refused' }} replace resetScroll={false} className="link">
            {strings.refusedRows(numberText(Math.max(file.rejected + file.duplicates, file.errors.length)))}
          </Link>
        </p>
      )}
    </div>
  </Card>
);

const Campaign = ({ campaign }: { readonly campaign: BatchCampaign }) => {
  const { id, name, status, statusReason, progress } = campaign;
  const reason = reasonText(statusReason);
  return (
    <Page
      title={name}
      back={back}
      actions={
        <>
          <CopyAsCurl operation="outboundCalls.getBatch" parts={{ params: { campaignId: id } }} />
          {progress.attempts > 0 && (
            <ButtonLink to="/calls" search={{ campaign: id }}>
              {strings.calls}
            </ButtonLink>
          )}
          {isOpen(status) && <CancelCampaign campaign={campaign} />}
        </>
      }
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <span role="status">
          <StatusBadge tone={toneOf[status]}>{strings.states[status]}</StatusBadge>
        </span>
        <CopyableId id={id} name={strings.id} short />
        {isOpen(status) && <span className="text-xs text-ink-soft">{strings.live}</span>}
      </div>
      {reason !== undefined && <Notice tone={status === 'failed' ? 'bad' : 'attention'}>{reason}</Notice>}
      <Progress name={strings.progressOf(name)} value={progress.percent} max={100} />
      <Tiles campaign={campaign} />
      {progress.total > 0 && (
        <Card title={strings.outcomes}>
          <OutcomeBars progress={progress} />
        </Card>
      )}
      {progress.attempts > 0 && (
        <OutcomesByHour campaignId={id} everyMs={isOpen(status) ? hoursEveryMs : undefined} />
      )}
      <CampaignPeople campaignId={id} everyMs={isOpen(status) ? hoursEveryMs : undefined} />
      <File campaign={campaign} />
      <CampaignSettings campaign={campaign} />
    </Page>
  );
};

export const CampaignScreen = () => {
  const { campaignId } = route.useParams();
  const [isOver, setOver] = useState(false);
  const query = useOperation(
    'outboundCalls.getBatch',
    { params: { campaignId } },
    isOver ? {} : { everyMs: refreshMs },
  );
  const status = query.data?.status;
  useEffect(() => setOver(status !== undefined && !isOpen(status)), [status]);
  if (notFoundIn(query.error))
    return <NotFound title={strings.notFound} text={strings.notFoundText} back={back} />;
  if (query.data !== undefined) return <Campaign campaign={query.data} />;
  return (
    <Page title={strings.title} back={back}>
      <Answered query={query}>{() => null}</Answered>
    </Page>
  );
};
