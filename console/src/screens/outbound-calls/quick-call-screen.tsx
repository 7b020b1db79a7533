// One call, placed now. The possible cost stands beside the form, and the page asks once more before the call is placed.
import type { Agent, PhoneNumber } from '@parlance/client';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type BaseSyntheticEvent, useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import { Answered } from '../../components/answered.js';
import { ButtonLink } from '../../components/button.js';
import { Card, EmptyState } from '../../components/card.js';
import { confirmThat } from '../../components/confirm.js';
import { Page } from '../../components/page.js';
import { toast } from '../../components/toasts.js';
import { useOperation } from '../../data/queries.js';
import { SelectField } from '../../forms/choice-fields.js';
import { ComboField } from '../../forms/combo-field.js';
import { useContractForm } from '../../forms/contract-form.js';
import { LongTextField, NumberField, PhoneField, TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { compactNumber } from '../../forms/phone-text.js';
import { KeyValueField } from '../../forms/value-fields.js';
import { componentStrings } from '../../strings/components.js';
import { moneyText } from '../../strings/format.js';
import { outboundStrings as strings } from '../../strings/outbound-calls.js';
import { type QuickCallValues, quickCallBody } from './quick-call.js';
import { askWorstCase, useWorstCase, WorstCase } from './worst-case.js';

const route = getRouteApi('/app/outbound-calls/new');
const back = { to: '/outbound-calls', label: strings.title };

const remarkOf = ({ isActive, hasConfig }: Agent): { readonly remark?: string } => {
  if (!isActive) return { remark: strings.inactive };
  return hasConfig ? {} : { remark: strings.notConfigured };
};

const QuickCallForm = ({
  agents,
  numbers,
}: {
  readonly agents: readonly Agent[];
  readonly numbers: readonly PhoneNumber[];
}) => {
  const { agent: wanted } = route.useSearch();
  const navigate = useNavigate();
  const nameOf = (agentId: string): string => agents.find(({ id }) => id === agentId)?.name ?? agentId;
  const onlyAgent = agents.length === 1 ? agents[0] : undefined;
  const onlyNumber = numbers.length === 1 ? numbers[0] : undefined;
  const values: QuickCallValues = {
    ...{ agentId: agents.find(({ id }) => id === wanted)?.id ?? onlyAgent?.id, phoneNumber: undefined },
    fromNumber: onlyNumber?.phoneNumber,
    ...{
      username: undefined,
      firstMessage: undefined,
      dynamicVariables: {},
      ringingTimeoutSeconds: undefined,
    },
  };
  const contractForm = useContractForm('outboundCalls.quick', {
    values,
    draft: 'outboundCalls.quick',
    toBody: quickCallBody,
    invalidates: ['outboundCalls.', 'calls.', 'spend.', 'dashboard.'],
    onDone: async ({ data }) => {
      await navigate({ to: '/outbound-calls/$outboundId', params: { outboundId: data.id } });
      toast.done(strings.placedToast(strings.withName(data.phoneNumber, data.username)));
    },
  });
  const { form, submit } = contractForm;
  const [agentId, phoneNumber] = useWatch({ control: form.control, name: ['agentId', 'phoneNumber'] });
  const worst = useWorstCase(agentId, compactNumber(phoneNumber ?? ''));
  useEffect(() => {
    // A draft may name a number that was given back since.
    const from = form.getValues('fromNumber');
    if (from !== undefined && !numbers.some((number) => number.phoneNumber === from))
      form.setValue('fromNumber', undefined);
  }, [form, numbers]);

  const ask = async (event?: BaseSyntheticEvent): Promise<void> => {
    event?.preventDefault();
    if (!(await form.trigger(undefined, { shouldFocus: true }))) return;
    const given = form.getValues();
    const asked = { operation: contractForm.operation, parts: contractForm.request() };
    const number = compactNumber(given.phoneNumber ?? '');
    const callee = strings.withName(number, given.username ?? null);
    const most = await askWorstCase(given.agentId ?? '', number);
    const cost =
      most === undefined
        ? strings.confirmCostUnknown
        : strings.confirmCost(moneyText(most.worstCaseMicros, most.currency));
    confirmThat({
      title: strings.confirmTitle(callee),
      text: `${strings.confirmText(callee, nameOf(given.agentId ?? ''), given.fromNumber ?? '')} ${cost}`,
      action: strings.call,
      danger: false,
      // A refusal stands in the form, at the field that it is about.
      wish: { ...asked, send: () => submit() },
    });
  };

  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Card>
        <Form
          of={{ ...contractForm, submit: ask }}
          submitLabel={strings.check}
          actions={<ButtonLink to="/outbound-calls">{componentStrings.cancel}</ButtonLink>}
        >
          <ComboField
            name="agentId"
            label={strings.agent}
            hint={strings.agentHint}
            choices={agents.map((agent) => ({ value: agent.id, label: agent.name, ...remarkOf(agent) }))}
          />
          <PhoneField
            name="phoneNumber"
            label={strings.phoneNumber}
            hint={strings.phoneNumberHint}
            empty={undefined}
          />
          <SelectField
            name="fromNumber"
            label={strings.fromNumber}
            hint={strings.fromNumberHint}
            emptyLabel={strings.fromNumberEmpty}
            choices={numbers.map((number) => ({
              value: number.phoneNumber,
              label: `${number.phoneNumber} · ${number.isoCountry}`,
            }))}
          />
          <TextField
            name="username"
            label={strings.username}
            hint={strings.usernameHint}
            empty={undefined}
            optional
          />
          <details>
            <summary className="font-medium">{strings.more}</summary>
            <div className="mt-3 flex flex-col gap-4">
              <LongTextField
                name="firstMessage"
                label={strings.firstMessage}
                hint={strings.firstMessageHint}
                rows={3}
                empty={undefined}
                optional
              />
              <KeyValueField name="dynamicVariables" label={strings.variables} hint={strings.variablesHint} />
              <NumberField
                name="ringingTimeoutSeconds"
                label={strings.ringing}
                hint={strings.ringingHint}
                unit={strings.seconds}
                optional
              />
            </div>
          </details>
        </Form>
      </Card>
      <WorstCase agentId={agentId} asked={worst} />
    </div>
  );
};

/** The screen for numbers is another area, whose route is not known here. */
const numbersPath: string = '/numbers';

export const QuickCallScreen = () => {
  const agents = useOperation('agents.list', {});
  const numbers = useOperation('numbers.list', {});
  return (
    <Page title={strings.quickTitle} intro={strings.quickIntro} back={back}>
      <Answered query={agents}>
        {(allAgents) =>
          allAgents.length === 0 ? (
            <EmptyState
              title={strings.noAgents}
              action={
                <ButtonLink to="/agents/new" kind="primary">
                  {strings.toAgents}
                </ButtonLink>
              }
            />
          ) : (
            <Answered query={numbers}>
              {(allNumbers) => {
                const callable = allNumbers.filter(
                  ({ status, capabilities }) => status === 'active' && capabilities.voice,
                );
                return callable.length === 0 ? (
                  <EmptyState
                    title={strings.noNumbers}
                    action={
                      <ButtonLink to={numbersPath} kind="primary">
                        {strings.toNumbers}
                      </ButtonLink>
                    }
                  />
                ) : (
                  <QuickCallForm agents={allAgents} numbers={callable} />
                );
              }}
            </Answered>
          )
        }
      </Answered>
    </Page>
  );
};
