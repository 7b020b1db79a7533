// Third step: when, how often, how fast, and for how much money at the most.
import { useFormContext, useWatch } from 'react-hook-form';
import { Card } from '../../components/card.js';
import { ChecksField } from '../../forms/checks-field.js';
import { SelectField, SwitchField } from '../../forms/choice-fields.js';
import { ComboField } from '../../forms/combo-field.js';
import { NumberField } from '../../forms/fields.js';
import { timeZones } from '../../forms/time-zones.js';
import { DateTimeField, MoneyField } from '../../forms/value-fields.js';
import { wizardStrings as strings } from '../../strings/campaign-wizard.js';
import { campaignStrings } from '../../strings/campaigns.js';
import { isOvernight } from './campaign-words.js';
import { useCurrency } from './use-currency.js';
import type { CampaignValues } from './wizard-values.js';

const choicesOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

const two = (value: number): string => String(value).padStart(2, '0');
const halfHours = Array.from(
  { length: 48 },
  (_, index) => `${two(Math.floor(index / 2))}:${two((index % 2) * 30)}`,
);
const timesOf = (times: readonly string[]) => times.map((time) => ({ value: time, label: time }));
const starts = timesOf(halfHours);
const ends = timesOf([...halfHours, '24:00']);
const zones = timeZones.map((zone) => ({ value: zone, label: zone }));
const days = campaignStrings.days.map((label, value) => ({ value, label }));
const retryOn = (['busy', 'no_answer', 'voicemail', 'failed'] as const).map((value) => ({
  value,
  label: campaignStrings.retryOn[value],
}));

const When = () => {
  const { control } = useFormContext<CampaignValues>();
  const [begins, hasWindow, { start, end }] = useWatch({
    control,
    name: ['begins', 'hasWindow', 'callingWindow'],
  });
  return (
    <Card title={strings.whenTitle}>
      <div className="flex flex-col gap-4">
        <SelectField name="begins" label={strings.begins} choices={choicesOf(strings.beginsChoices)} />
        {begins === 'later' && <DateTimeField name="scheduledAt" label={strings.scheduledAt} empty={null} />}
        <SwitchField name="hasWindow" label={strings.hasWindow} hint={strings.hasWindowHint} />
        {hasWindow && (
          <>
            <ChecksField name="callingWindow.days" label={strings.days} choices={days} />
            <div className="grid grid-cols-2 gap-4">
              <SelectField name="callingWindow.start" label={strings.windowFrom} choices={starts} />
              <SelectField
                name="callingWindow.end"
                label={strings.windowTo}
                hint={isOvernight(start, end) ? strings.overnightHint : undefined}
                choices={ends}
              />
            </div>
            <SelectField
              name="callingWindow.basis"
              label={strings.basis}
              choices={choicesOf(strings.basisChoices)}
            />
          </>
        )}
        <ComboField
          name="timezone"
          label={strings.timezone}
          choices={zones}
          empty=""
          emptyLabel={strings.ownTimezone}
        />
      </div>
    </Card>
  );
};

export const StepPlan = () => (
  <div className="grid items-start gap-4 lg:grid-cols-2">
    <When />
    <div className="flex flex-col gap-4">
      <Card title={strings.retriesTitle}>
        <div className="flex flex-col gap-4">
          <NumberField name="retryPolicy.maxAttempts" label={strings.maxAttempts} />
          <NumberField name="retryPolicy.delaySeconds" label={strings.delaySeconds} unit={strings.seconds} />
          <ChecksField name="retryPolicy.on" label={strings.retryOn} choices={retryOn} />
        </div>
      </Card>
      <Money />
    </div>
  </div>
);

const Money = () => (
  <Card title={strings.paceTitle}>
    <div className="flex flex-col gap-4">
      <NumberField
        name="callsPerSecond"
        label={strings.callsPerSecond}
        hint={strings.callsPerSecondHint}
        empty={null}
      />
      <NumberField
        name="maxConcurrency"
        label={strings.maxConcurrency}
        hint={strings.maxConcurrencyHint}
        empty={null}
      />
      <NumberField
        name="ringingTimeoutSeconds"
        label={strings.ringing}
        hint={strings.ringingHint}
        unit={strings.seconds}
        empty={null}
      />
      <MoneyField
        name="budget.maxCostMicros"
        label={strings.budget}
        hint={strings.budgetHint}
        currency={useCurrency()}
        empty={null}
      />
    </div>
  </Card>
);
