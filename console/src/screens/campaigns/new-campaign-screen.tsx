// The wizard of a campaign. The step is part of the address, so the browser's own "back" goes one step back.
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { useCan } from '../../app/permission.js';
import { Button, ButtonLink } from '../../components/button.js';
import { cx } from '../../components/cx.js';
import { DialogActions } from '../../components/dialog.js';
import { Page } from '../../components/page.js';
import { Notice } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { operationQuery, queryClient } from '../../data/queries.js';
import { useContractForm } from '../../forms/contract-form.js';
import { Form } from '../../forms/form.js';
import { wizardStrings as strings } from '../../strings/campaign-wizard.js';
import { campaignStrings } from '../../strings/campaigns.js';
import { StepCheck } from './step-check.js';
import { StepFile } from './step-file.js';
import { StepPlan } from './step-plan.js';
import { StepReview } from './step-review.js';
import { type StepId, stepIds } from './wizard-steps.js';
import { type CampaignValues, fieldsOfStep, firstValues, toCreateBody, toFileBody } from './wizard-values.js';

const route = getRouteApi('/app/campaigns/new');

const searchOf = (step: StepId): { step?: StepId } => (step === 'file' ? {} : { step });

const Steps = ({ at }: { readonly at: StepId }) => (
  <nav aria-label={strings.stepsLabel}>
    <ol className="flex flex-wrap gap-x-6 gap-y-1">
      {stepIds.map((id, index) => (
        <li
          key={id}
          aria-current={id === at ? 'step' : undefined}
          className={cx('flex items-center gap-2', id === at ? 'font-semibold text-accent' : 'text-ink-soft')}
        >
          <span
            aria-hidden
            className={cx(
              'flex size-6 items-center justify-center rounded-full border text-xs tabular-nums',
              id === at ? 'border-accent bg-accent text-accent-ink' : 'border-line-strong',
            )}
          >
            {index + 1}
          </span>
          {/* Earlier steps can be gone back to; later ones are reached by "next". */}
          {index < stepIds.indexOf(at) ? (
            <Link to="/campaigns/new" search={searchOf(id)} className="link inline-flex min-h-7 items-center">
              {strings.steps[id]}
            </Link>
          ) : (
            strings.steps[id]
          )}
        </li>
      ))}
    </ol>
  </nav>
);

/** True once the preview that is shown has a row that would be called. */
const canCall = (values: CampaignValues): boolean => {
  const { queryKey } = operationQuery('outboundCalls.previewBatch', { body: toFileBody(values) });
  const preview = queryClient.getQueryData(queryKey);
  return preview !== undefined && preview.refusal === null && preview.rows.good > 0;
};

const contents = { file: StepFile, check: StepCheck, plan: StepPlan } as const;

export const NewCampaignScreen = () => {
  const { step: asked = 'file' } = route.useSearch();
  const navigate = route.useNavigate();
  const verdict = useCan('outboundCalls.createBatch');
  const wizard = useContractForm('outboundCalls.createBatch', {
    values: firstValues,
    draft: 'outboundCalls.createBatch',
    // A choice that is missing, rather than one of a wrong form.
    toBody: (given) => ({ ...toCreateBody(given), ...(given.agentId === '' && { agentId: undefined }) }),
    onDone: async ({ data }) => {
      await navigate({ to: '/campaigns/$campaignId', params: { campaignId: data.id }, replace: true });
      toast.done(strings.started(data.name));
    },
  });
  const { form } = wizard;
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    // A fault that "next" has found goes as soon as it is mended.
    const following = form.watch((_, { name }) => {
      if (name !== undefined && form.getFieldState(name).error !== undefined) void form.trigger(name);
    });
    return () => following.unsubscribe();
  }, [form]);
  // An address of a later step, without the file that the first one asks for, shows the first one.
  const hasFile = form.watch('sourceFileKey') !== '';
  const step: StepId = hasFile ? asked : 'file';
  const index = stepIds.indexOf(step);
  const previous = stepIds[index - 1];
  const goTo = (next: StepId): void => void navigate({ search: searchOf(next) });
  const goOn = async (): Promise<void> => {
    const next = stepIds[index + 1];
    const isNotReady = step === 'check' && !canCall(form.getValues());
    setHeld(isNotReady);
    if (isNotReady || next === undefined) return;
    if (await form.trigger([...fieldsOfStep[step]], { shouldFocus: true })) goTo(next);
  };
  const back = previous !== undefined && <Button onClick={() => goTo(previous)}>{strings.previous}</Button>;
  const faulty = stepIds.filter((id) => fieldsOfStep[id].some((name) => name in form.formState.errors));
  const frame = {
    title: strings.title,
    intro: strings.stepOf(index + 1, stepIds.length),
    back: { to: '/campaigns', label: campaignStrings.back },
  } as const;
  if (step === 'review')
    return (
      <Page {...frame}>
        <Steps at={step} />
        <Form
          of={wizard}
          guards={false}
          submitLabel={form.getValues('begins') === 'now' ? strings.start : strings.schedule}
          actions={back}
        >
          <StepReview />
          {faulty.length > 0 && (
            <Notice tone="bad">
              {strings.faults}{' '}
              {faulty.map((id) => (
                <Link key={id} to="/campaigns/new" search={searchOf(id)} className="link mr-2">
                  {strings.steps[id]}
                </Link>
              ))}
            </Notice>
          )}
        </Form>
      </Page>
    );
  const Content = contents[step];
  return (
    <Page {...frame}>
      <Steps at={step} />
      {!verdict.allowed && <Notice tone="attention">{verdict.reason}</Notice>}
      <FormProvider {...form}>
        <form
          noValidate
          className={cx('flex flex-col gap-4', step === 'file' && 'max-w-2xl')}
          onSubmit={(event) => {
            event.preventDefault();
            void goOn();
          }}
        >
          {wizard.hasDraft && (
            <Notice>
              {strings.restored}{' '}
              <button
                type="button"
                className="link"
                onClick={() => {
                  wizard.discardDraft();
                  goTo('file');
                }}
              >
                {strings.discard}
              </button>
            </Notice>
          )}
          <Content />
          {isHeld && step === 'check' && (
            <p role="alert" className="text-right font-medium text-danger">
              {strings.notReady}
            </p>
          )}
          <DialogActions>
            {back === false ? <ButtonLink to="/campaigns">{campaignStrings.back}</ButtonLink> : back}
            <Button type="submit" kind="primary">
              {strings.next}
            </Button>
          </DialogActions>
        </form>
      </FormProvider>
    </Page>
  );
};
