// The stored bytes and chunks of the organization, beside the quotas of the operator.
import type { StorageUse } from '@parlance/client';
import { useCan } from '../../app/permission.js';
import { Answered } from '../../components/answered.js';
import { Card } from '../../components/card.js';
import { Progress } from '../../components/status.js';
import { useOperation } from '../../data/queries.js';
import { bytesText, numberText } from '../../strings/format.js';
import { settingsStrings as strings } from '../../strings/settings.js';

interface QuotaProps {
  readonly name: string;
  readonly use: StorageUse['recordingBytes'];
  readonly text: (value: number) => string;
}

const Quota = ({ name, use: { used, limit }, text }: QuotaProps) => (
  <li className="flex flex-col gap-1">
    <p className="flex justify-between gap-4">
      <span>{name}</span>
      <span className="text-ink-soft tabular-nums">
        {limit === 0 && used === 0 ? strings.nothingStored : strings.usedOf(text(used), text(limit))}
      </span>
    </p>
    {limit > 0 && <Progress name={name} value={Math.min(used, limit)} max={limit} />}
  </li>
);

export const StorageCard = () => {
  const { allowed } = useCan('storage.get');
  const storage = useOperation('storage.get', {}, { enabled: allowed });
  if (!allowed) return null;
  return (
    <Card title={strings.storage}>
      <Answered query={storage}>
        {(data) => (
          <ul className="flex flex-col gap-3">
            <Quota name={strings.knowledgeFiles} use={data.knowledgeBytes} text={bytesText} />
            <Quota name={strings.knowledgeChunks} use={data.knowledgeChunks} text={numberText} />
            <Quota name={strings.campaignFiles} use={data.campaignFileBytes} text={bytesText} />
            <Quota name={strings.recordings} use={data.recordingBytes} text={bytesText} />
          </ul>
        )}
      </Answered>
    </Card>
  );
};
