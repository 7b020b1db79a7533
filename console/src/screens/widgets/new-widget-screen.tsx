import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Answered } from '../../components/answered.js';
import { ButtonLink } from '../../components/button.js';
import { Card, EmptyState } from '../../components/card.js';
import { isMissing, NoSuchAgent } from '../../components/not-found.js';
import { Page } from '../../components/page.js';
import { toast } from '../../components/toasts.js';
import { useOperation } from '../../data/queries.js';
import type { DataOf } from '../../data/types.js';
import { SelectField } from '../../forms/choice-fields.js';
import { useContractForm } from '../../forms/contract-form.js';
import { TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { TagsField } from '../../forms/value-fields.js';
import { componentStrings } from '../../strings/components.js';
import { widgetStrings as strings } from '../../strings/widgets.js';
import { choicesOf } from './widget-fields.js';
import { modesOf, type Offers } from './widget-values.js';

const route = getRouteApi('/app/widgets/new');
const back = { to: '/widgets', label: strings.title };

interface Values {
  readonly name: string;
  readonly allowedOrigins: readonly string[];
  readonly offers: Offers;
}
const first: Values = { name: '', allowedOrigins: [], offers: 'both' };

const toBody = ({ offers, name, allowedOrigins }: Values) => ({
  name,
  allowedOrigins: [...allowedOrigins],
  modes: modesOf(offers),
});

const NewWidget = ({ agentId }: { readonly agentId: string }) => {
  const navigate = useNavigate();
  const form = useContractForm('widgets.create', {
    values: first,
    draft: `widgets.create.${agentId}`,
    toBody,
    parts: { params: { agentId } },
    onDone: async ({ data }) => {
      await navigate({ to: '/widgets/$widgetId', params: { widgetId: data.id } });
      toast.done(strings.created(data.name));
    },
  });
  return (
    <Form
      of={form}
      submitLabel={strings.createAction}
      actions={
        <ButtonLink to="/widgets" search={{ agent: agentId }}>
          {componentStrings.cancel}
        </ButtonLink>
      }
    >
      <TextField name="name" label={strings.name} hint={strings.nameHint} />
      <TagsField
        name="allowedOrigins"
        label={strings.allowedOrigins}
        hint={strings.originsHint}
        placeholder="https://"
        optional
      />
      <SelectField
        name="offers"
        label={strings.offers}
        hint={strings.createText}
        choices={choicesOf(strings.offerChoices)}
      />
    </Form>
  );
};

type Agents = DataOf<'agents.list'>;

const Chosen = ({ agents, wanted }: { readonly agents: Agents; readonly wanted: string | undefined }) => {
  const agent = agents.find(({ id }) => id === wanted) ?? agents[0];
  if (agent === undefined) {
    return (
      <EmptyState
        title={strings.noAgentTitle}
        text={strings.noAgentText}
        action={<ButtonLink to="/agents">{strings.toAgents}</ButtonLink>}
      />
    );
  }
  return (
    <Card title={`${strings.agent}: ${agent.name}`} className="max-w-xl">
      <NewWidget key={agent.id} agentId={agent.id} />
    </Card>
  );
};

export const NewWidgetScreen = () => {
  const { agent } = route.useSearch();
  const agents = useOperation('agents.list', {});
  if (isMissing(agents.data, agent)) return <NoSuchAgent back={back} />;
  return (
    <Page title={strings.createTitle} back={back}>
      <Answered query={agents}>{(all) => <Chosen agents={all} wanted={agent} />}</Answered>
    </Page>
  );
};
