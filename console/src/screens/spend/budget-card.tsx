// The limit for all quick calls of one day together.
import { useState } from 'react';
import { Guarded } from '../../app/permission.js';
import { Answered } from '../../components/answered.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Dialog } from '../../components/dialog.js';
import { toast } from '../../components/toasts.js';
import { useOperation } from '../../data/queries.js';
import { useContractForm } from '../../forms/contract-form.js';
import { Form } from '../../forms/form.js';
import { MoneyField } from '../../forms/value-fields.js';
import { moneyText } from '../../strings/format.js';
import { spendStrings as strings } from '../../strings/spend.js';

interface Values {
  readonly quickCallBudget: { readonly maxCostMicros: number | null };
}

const toBody = ({ quickCallBudget: { maxCostMicros } }: Values) => ({
  quickCallBudget: maxCostMicros === null ? null : { maxCostMicros },
});

const BudgetDialog = ({
  maxCostMicros,
  currency,
  onClose,
}: {
  readonly maxCostMicros: number | null;
  readonly currency: string;
  readonly onClose: () => void;
}) => {
  const values: Values = { quickCallBudget: { maxCostMicros } };
  const form = useContractForm('settings.update', {
    values,
    draft: 'settings.update.quickCallBudget',
    toBody,
    onDone: () => {
      toast.done(strings.budgetSaved);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={strings.changeBudgetTitle} text={strings.quickBudgetText}>
      <Form of={form} guards={false} onlyChanges>
        <MoneyField
          name="quickCallBudget.maxCostMicros"
          label={strings.budgetField}
          hint={strings.budgetHint}
          currency={currency}
          empty={null}
        />
      </Form>
    </Dialog>
  );
};

export const BudgetCard = ({ currency }: { readonly currency: string }) => {
  const settings = useOperation('settings.get', {});
  const [isOpen, setOpen] = useState(false);
  const micros = settings.data?.quickCallBudget?.maxCostMicros ?? null;
  return (
    <Card
      title={strings.quickBudget}
      actions={
        <Guarded operation="settings.update">
          <Button onClick={() => setOpen(true)}>{strings.changeBudget}</Button>
        </Guarded>
      }
    >
      <Answered query={settings}>
        {() => (
          <p className={micros === null ? 'text-ink-soft' : 'text-xl font-semibold tabular-nums'}>
            {micros === null ? strings.quickBudgetNone : strings.perDay(moneyText(micros, currency))}
          </p>
        )}
      </Answered>
      <p className="mt-1 text-ink-soft">{strings.quickBudgetText}</p>
      {isOpen && settings.data !== undefined && (
        <BudgetDialog maxCostMicros={micros} currency={currency} onClose={() => setOpen(false)} />
      )}
    </Card>
  );
};
