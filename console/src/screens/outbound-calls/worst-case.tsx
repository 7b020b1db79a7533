// The most that a call can cost, told before it is placed.
import { useEffect, useState } from 'react';
import { Card } from '../../components/card.js';
import { ErrorNote } from '../../components/error-note.js';
import { Skeleton } from '../../components/status.js';
import { operationQuery, queryClient, useOperation } from '../../data/queries.js';
import type { DataOf } from '../../data/types.js';
import { durationText, moneyText } from '../../strings/format.js';
import { outboundStrings as strings } from '../../strings/outbound-calls.js';

const settleMs = 400;
const isWhole = (number: string): boolean => /^\+[1-9]\d{6,14}$/.test(number);

/** The value, once it has not changed for a moment: nobody is asked about half a number. */
const useSettled = <Value,>(value: Value): Value => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
};

/** The most that a call to exactly this number can cost; undefined where the platform does not say. */
export const askWorstCase = async (
  agentId: string,
  phoneNumber: string,
): Promise<DataOf<'spend.worstCase'> | undefined> => {
  try {
    return await queryClient.fetchQuery(
      operationQuery('spend.worstCase', { query: { agentId, phoneNumber } }),
    );
  } catch {
    // The question that follows says that the cost is not known.
    return undefined;
  }
};

export const useWorstCase = (agentId: string | undefined, phoneNumber: string) => {
  const number = useSettled(phoneNumber);
  const isOwnRate = isWhole(number);
  const query = useOperation(
    'spend.worstCase',
    { query: { agentId: agentId ?? '', ...(isOwnRate ? { phoneNumber: number } : {}) } },
    { enabled: agentId !== undefined, keepsPrevious: true },
  );
  return { ...query, isOwnRate };
};

export const WorstCase = ({
  agentId,
  asked,
}: {
  readonly agentId: string | undefined;
  readonly asked: ReturnType<typeof useWorstCase>;
}) => {
  const { data, error, isOwnRate } = asked;
  return (
    <Card title={strings.costTitle}>
      {agentId === undefined && <p className="text-ink-soft">{strings.costAsk}</p>}
      {agentId !== undefined && error !== null && <ErrorNote error={error} />}
      {agentId !== undefined && error === null && data === undefined && <Skeleton className="h-4 w-3/4" />}
      {agentId !== undefined && error === null && data !== undefined && (
        <div className="flex flex-col gap-1" aria-live="polite">
          <p className="font-medium">
            {strings.costAtMost(
              moneyText(data.worstCaseMicros, data.currency),
              durationText(data.longestSeconds * 1_000),
              moneyText(data.rateMicros, data.currency),
            )}
          </p>
          <p className="text-ink-soft">{isOwnRate ? strings.costNow : strings.costHighest}</p>
        </div>
      )}
    </Card>
  );
};
