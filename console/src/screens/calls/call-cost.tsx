// The cost of a call, by kind.
import type { CallLog } from '@parlance/client';
import { Card } from '../../components/card.js';
import { Money } from '../../components/values.js';
import { callDetailStrings as strings } from '../../strings/call-detail.js';
import { numberText } from '../../strings/format.js';

export const CallCost = ({ cost }: { readonly cost: CallLog['cost'] }) => (
  <Card title={strings.cost}>
    {cost === null ? (
      <p className="text-ink-soft">{strings.costNone}</p>
    ) : (
      <table className="w-full text-left">
        <caption className="sr-only">{strings.costCaption}</caption>
        <thead className="text-xs text-ink-soft">
          <tr>
            <th scope="col" className="pb-1 font-medium">
              {strings.costKind}
            </th>
            <th scope="col" className="pb-1 text-right font-medium">
              {strings.quantity}
            </th>
            <th scope="col" className="pb-1 text-right font-medium">
              {strings.amount}
            </th>
          </tr>
        </thead>
        <tbody>
          {cost.items.map(({ kind, micros, quantity, unit }) => (
            <tr key={`${kind} ${unit}`} className="border-t border-line">
              <th scope="row" className="py-1 font-normal">
                {strings.costKinds[kind]}
              </th>
              <td className="py-1 text-right tabular-nums">
                {strings.quantityOf(numberText(quantity), unit)}
              </td>
              <td className="py-1 text-right">
                <Money micros={micros} currency={cost.currency} />
              </td>
            </tr>
          ))}
          <tr className="border-t border-line-strong font-medium">
            <th scope="row" colSpan={2} className="py-1 font-medium">
              {strings.total}
            </th>
            <td className="py-1 text-right">
              <Money micros={cost.totalMicros} currency={cost.currency} />
            </td>
          </tr>
        </tbody>
      </table>
    )}
  </Card>
);
