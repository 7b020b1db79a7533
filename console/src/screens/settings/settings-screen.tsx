// The settings of the whole organization.
import type { AuthOrganization, Settings, Spend } from '@parlance/client';
import { useMemo } from 'react';
import { useCan } from '../../app/permission.js';
import { useSession } from '../../app/session.js';
import { Answered } from '../../components/answered.js';
import { Card, Facts } from '../../components/card.js';
import { Page } from '../../components/page.js';
import { toast } from '../../components/toasts.js';
import { CopyableId } from '../../components/values.js';
import { useOperation } from '../../data/queries.js';
import { changedFields } from '../../forms/changed-fields.js';
import { ComboField } from '../../forms/combo-field.js';
import { useContractForm } from '../../forms/contract-form.js';
import { NumberField, TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { timeZones } from '../../forms/time-zones.js';
import { MoneyField, TagsField } from '../../forms/value-fields.js';
import { moneyText, numberText } from '../../strings/format.js';
import { settingsStrings as strings } from '../../strings/settings.js';
import { HoursFields } from './hours-fields.js';
import { bodyOf, valuesOf } from './settings-values.js';
import { StorageCard } from './storage-card.js';

const zonesWith = (current: string) =>
  [...new Set([current, ...timeZones])]
    .sort()
    .map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));

const OrganizationForm = ({ organization }: { readonly organization: AuthOrganization }) => {
  const verdict = useCan('auth.organizationUpdate');
  const form = useContractForm('auth.organizationUpdate', {
    values: { name: organization.name, slug: organization.slug },
    toBody: (values, before) => ({ data: changedFields(before, values) }),
    invalidates: ['auth.organizationList'],
    onDone: () => toast.done(strings.organizationSaved),
  });
  const disabled = !verdict.allowed;
  return (
    <Form of={form} submitLabel={strings.saveOrganization} onlyChanges>
      <TextField name="name" label={strings.name} disabled={disabled} />
      <TextField name="slug" label={strings.slug} hint={strings.slugHint} disabled={disabled} mono />
      <Facts facts={[{ name: strings.id, value: <CopyableId id={organization.id} name={strings.id} /> }]} />
    </Form>
  );
};

const SettingsForm = ({ settings, currency }: { readonly settings: Settings; readonly currency: string }) => {
  const verdict = useCan('settings.update');
  const form = useContractForm('settings.update', {
    values: valuesOf(settings),
    draft: 'settings.update',
    toBody: (values, before) => changedFields(bodyOf(before), bodyOf(values)),
    onDone: () => toast.done(strings.saved),
  });
  const zones = useMemo(() => zonesWith(settings.timezone), [settings.timezone]);
  const disabled = !verdict.allowed;
  return (
    <Form of={form} submitLabel={strings.save} onlyChanges>
      <ComboField
        name="timezone"
        label={strings.timezone}
        hint={strings.timezoneHint}
        choices={zones}
        disabled={disabled}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField name="maxConcurrentCalls" label={strings.maxConcurrentCalls} disabled={disabled} />
        <NumberField name="inboundReserve" label={strings.inboundReserve} disabled={disabled} />
        <NumberField
          name="dailyAttemptsPerNumber"
          label={strings.dailyAttempts}
          hint={strings.dailyAttemptsHint}
          empty={null}
          disabled={disabled}
        />
        <MoneyField
          name="quickCallBudget.maxCostMicros"
          label={strings.budget}
          hint={strings.budgetHint}
          currency={currency}
          empty={null}
          disabled={disabled}
        />
        <NumberField
          name="callRetentionDays"
          label={strings.callRetention}
          hint={strings.callRetentionHint}
          empty={null}
          disabled={disabled}
        />
      </div>
      <TagsField
        name="allowedCountries"
        label={strings.countries}
        hint={strings.countriesHint}
        disabled={disabled}
      />
      <HoursFields disabled={disabled} />
    </Form>
  );
};

const orNoLimit = (value: number | null, text: (value: number) => string): string =>
  value === null ? strings.noLimit : text(value);

const Limits = ({ spend: { limits, currency } }: { readonly spend: Spend }) => {
  const money = (micros: number): string => moneyText(micros, currency);
  return (
    <Card title={strings.limits}>
      <div className="flex flex-col gap-4">
        <p className="text-ink-soft">{strings.limitsText}</p>
        <Facts
          facts={[
            { name: strings.dayLimit, value: orNoLimit(limits.dayMicros, money) },
            { name: strings.monthLimit, value: orNoLimit(limits.monthMicros, money) },
            { name: strings.numbersLimit, value: orNoLimit(limits.numbers, numberText) },
            { name: strings.callsLimit, value: orNoLimit(limits.concurrentCalls, numberText) },
            { name: strings.countriesLimit, value: limits.countries?.join(', ') ?? strings.noLimit },
          ]}
        />
      </div>
    </Card>
  );
};

export const SettingsScreen = () => {
  const session = useSession();
  const organizations = useOperation('auth.organizationList', {});
  const settings = useOperation('settings.get', {});
  const spend = useOperation('spend.get', { query: {} });
  const active = organizations.data?.find(({ id }) => id === session?.activeOrganizationId);
  return (
    <Page title={strings.title} intro={strings.intro}>
      <div className="grid items-start gap-5 lg:grid-cols-[2fr_1fr]">
        <Card title={strings.calls}>
          <Answered query={settings}>
            {(data) => <SettingsForm settings={data} currency={spend.data?.currency ?? 'USD'} />}
          </Answered>
        </Card>
        <div className="flex flex-col gap-5">
          <Card title={strings.organization}>
            <Answered query={{ ...organizations, data: active }}>
              {(data) => <OrganizationForm key={data.id} organization={data} />}
            </Answered>
          </Card>
          {spend.data !== undefined && <Limits spend={spend.data} />}
          <StorageCard />
        </div>
      </div>
    </Page>
  );
};
