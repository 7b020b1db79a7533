// The cost of a call by its parts, each with the price that it was calculated with.
import type { CallLog } from '@parlance/client';
import { Fragment } from 'react';
import { Card } from '../../components/card.js';
import { FigureHead } from '../../components/figure-head.js';
import { callDetailStrings as strings } from '../../strings/call-detail.js';
import { componentStrings } from '../../strings/components.js';
import { exactMoneyText, numberText, shareText } from '../../strings/format.js';
import { type CostItem, type CostPart, costPartsOf } from './cost-parts.js';

const colors: Readonly<Record<CostItem['kind'], string>> = {
  telephony: 'bg-ink-soft',
  stt: 'bg-warn',
  llm: 'bg-accent',
  tts: 'bg-ok',
  recording: 'bg-danger',
  platform: 'bg-line-strong',
};

const nameOf = ({ kind, direction }: Pick<CostItem, 'kind' | 'direction'>): string =>
  kind === 'llm' && direction !== undefined ? strings.costDirections[direction] : strings.costKinds[kind];

const Shares = ({ parts }: { readonly parts: readonly CostPart[] }) => (
  <div
    role="img"
    aria-label={`${strings.costShares}: ${parts
      .map((part) => strings.costShare(nameOf(part), shareText(part.share)))
      .join(', ')}`}
    className="mb-3 flex h-3 overflow-hidden rounded bg-sunken"
  >
    {parts.map(({ key, kind, share }) => (
      <span key={key} className={colors[kind]} style={{ width: `${share * 100}%` }} />
    ))}
  </div>
);

const priceText = ({ rate, unit }: CostItem, currency: string): string =>
  rate === undefined
    ? strings.priceUnknown
    : strings.priceOf(exactMoneyText(rate.micros, currency), strings.quantityOf(numberText(rate.per), unit));

const ItemRow = ({ item, currency }: { readonly item: CostItem; readonly currency: string }) => {
  const { kind, direction, micros, quantity, unit, model, unpricedModel } = item;
  return (
    <tr className="border-t border-line align-top">
      <th scope="row" className="py-1 font-normal">
        {nameOf({ kind, direction })}
        <span className="block text-xs text-ink-soft">
          {[model, priceText(item, currency)].filter(Boolean).join(' · ')}
        </span>
        {unpricedModel !== undefined && (
          <span className="block text-xs text-warn">{strings.notPriced(unpricedModel)}</span>
        )}
      </th>
      <td className="py-1 pl-4 text-right tabular-nums">{strings.quantityOf(numberText(quantity), unit)}</td>
      <td className="py-1 pl-4 text-right whitespace-nowrap tabular-nums">
        {exactMoneyText(micros, currency)}
      </td>
    </tr>
  );
};

const UnreportedRow = ({ part }: { readonly part: CostPart }) => (
  <tr className="border-t border-line">
    <th scope="row" className="py-1 font-normal">
      {nameOf(part)}
    </th>
    <td className="py-1 pl-4 text-right text-ink-soft">{strings.notReported}</td>
    <td className="py-1 pl-4 text-right text-ink-soft">{componentStrings.none}</td>
  </tr>
);

const Parts = ({
  cost,
  parts,
}: {
  readonly cost: NonNullable<CallLog['cost']>;
  readonly parts: readonly CostPart[];
}) => (
  <table className="w-full text-left">
    <caption className="sr-only">{strings.costCaption}</caption>
    <FigureHead columns={[strings.costKind, strings.quantity, strings.amount]} />
    <tbody>
      {parts.map((part) => (
        <Fragment key={part.key}>
          {part.items.length === 0 && <UnreportedRow part={part} />}
          {part.items.map((item) => (
            <ItemRow
              key={`${item.model ?? item.unpricedModel ?? ''} ${item.unit} ${item.quantity}`}
              item={item}
              currency={cost.currency}
            />
          ))}
        </Fragment>
      ))}
      <tr className="border-t border-line-strong font-medium">
        <th scope="row" colSpan={2} className="py-1 font-medium">
          {strings.total}
        </th>
        <td className="py-1 pl-4 text-right whitespace-nowrap tabular-nums">
          {exactMoneyText(cost.totalMicros, cost.currency)}
        </td>
      </tr>
    </tbody>
  </table>
);

export const CallCost = ({
  call: { cost, channel },
}: {
  readonly call: Pick<CallLog, 'cost' | 'channel'>;
}) => {
  const parts = cost === null ? [] : costPartsOf(cost, channel);
  return (
    <Card title={strings.cost}>
      {cost === null ? (
        <p className="text-ink-soft">{strings.costNone}</p>
      ) : (
        <>
          {cost.totalMicros > 0 && <Shares parts={parts} />}
          <Parts cost={cost} parts={parts} />
        </>
      )}
    </Card>
  );
};
