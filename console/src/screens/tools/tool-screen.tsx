// One tool: its definition, a test, and the agents that may use it.
import type { Tool } from '@parlance/client';
import { getRouteApi } from '@tanstack/react-router';
import { ErrorNote } from '../../components/error-note.js';
import { NotFound } from '../../components/not-found.js';
import { Page } from '../../components/page.js';
import { ActiveBadge, Loading } from '../../components/status.js';
import { Tabs } from '../../components/tabs.js';
import { toast } from '../../components/toasts.js';
import { CopyableId } from '../../components/values.js';
import { useList } from '../../data/queries.js';
import { changedFields } from '../../forms/changed-fields.js';
import { useContractForm } from '../../forms/contract-form.js';
import { Form } from '../../forms/form.js';
import { toolStrings as strings } from '../../strings/tools.js';
import { type ToolTab, toolTabs } from './tabs.js';
import { ToolAgents } from './tool-agents.js';
import { ToolFields } from './tool-fields.js';
import { ToolTest } from './tool-test.js';
import { bodyOf, valuesOf } from './values.js';

const route = getRouteApi('/app/tools/$toolId');
const back = { to: '/tools', label: strings.toTools };

const Definition = ({ tool }: { readonly tool: Tool }) => {
  const params = { toolId: tool.id };
  const contractForm = useContractForm('tools.update', {
    values: valuesOf(tool),
    draft: `tools.update.${tool.id}`,
    secretFields: ['request'],
    toBody: (values, before) => changedFields(bodyOf(before), bodyOf(values)),
    parts: { params },
    invalidates: ['tools.', 'secrets.'],
    onDone: ({ data }) => {
      contractForm.form.reset(valuesOf(data));
      toast.done(strings.saved(data.name));
    },
  });
  return (
    <Form of={contractForm} submitLabel={strings.saveAction} onlyChanges>
      <ToolFields />
    </Form>
  );
};

const contents: Readonly<Record<ToolTab, (props: { readonly tool: Tool }) => React.ReactNode>> = {
  definition: Definition,
  test: ToolTest,
  agents: ToolAgents,
};

const ToolPage = ({ tool }: { readonly tool: Tool }) => {
  const { tab = 'definition' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title={tool.name}
      back={back}
      intro={
        <span className="flex flex-wrap items-center gap-3">
          <ActiveBadge isActive={tool.isActive} />
          <CopyableId id={tool.id} name={strings.id} />
        </span>
      }
    >
      <Tabs
        label={strings.parts}
        value={tab}
        onChange={(next) => void navigate({ search: { tab: next as ToolTab } })} // the tabs have no other ids
        tabs={toolTabs.map((id) => {
          const Content = contents[id];
          return { id, label: strings.tabs[id], content: <Content tool={tool} /> };
        })}
      />
    </Page>
  );
};

export const ToolScreen = () => {
  const { toolId } = route.useParams();
  const { rows, error, refresh } = useList('tools.list', {});
  const tool = rows?.find(({ id }) => id === toolId);
  if (tool !== undefined) return <ToolPage key={tool.id} tool={tool} />;
  if (rows !== undefined)
    return <NotFound title={strings.notFound} text={strings.notFoundText} back={back} />;
  return (
    <Page title={strings.title} back={back}>
      {error ? <ErrorNote error={error} retry={() => void refresh()} /> : <Loading />}
    </Page>
  );
};
