// One agent: its configuration, versions, a try, and what is attached to it.
import type { Agent } from '@parlance/client';
import { getRouteApi } from '@tanstack/react-router';
import { ErrorNote } from '../../components/error-note.js';
import { NoSuchAgent } from '../../components/not-found.js';
import { Page } from '../../components/page.js';
import { ActiveBadge, Loading } from '../../components/status.js';
import { Tabs } from '../../components/tabs.js';
import { CopyableId } from '../../components/values.js';
import { useList } from '../../data/queries.js';
import { agentPageStrings as strings } from '../../strings/agent.js';
import { agentStrings } from '../../strings/agents.js';
import { AttachedKnowledge } from './attached/attached-knowledge.js';
import { AttachedMcp } from './attached/attached-mcp.js';
import { AttachedNumbers } from './attached/attached-numbers.js';
import { AttachedTools } from './attached/attached-tools.js';
import { ConfigurationTab } from './configuration/configuration-tab.js';
import { type AgentTab, agentTabs } from './tabs.js';
import { TryTab } from './trying/try-tab.js';
import { VersionsTab } from './versions/versions-tab.js';

const route = getRouteApi('/app/agents/$agentId');

const contents: Readonly<Record<AgentTab, (props: { readonly agent: Agent }) => React.ReactNode>> = {
  configuration: ConfigurationTab,
  versions: VersionsTab,
  try: TryTab,
  tools: AttachedTools,
  knowledge: AttachedKnowledge,
  mcp: AttachedMcp,
  numbers: AttachedNumbers,
};

const back = { to: '/agents', label: strings.toAgents };

const AgentPage = ({ agent }: { readonly agent: Agent }) => {
  const { tab = 'configuration' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title={agent.name}
      back={back}
      intro={
        <span className="flex flex-wrap items-center gap-3">
          <ActiveBadge isActive={agent.isActive} />
          <CopyableId id={agent.id} name={strings.id} />
        </span>
      }
    >
      <Tabs
        label={strings.parts}
        value={tab}
        onChange={(next) => void navigate({ search: { tab: next as AgentTab } })} // the tabs have no other ids
        tabs={agentTabs.map((id) => {
          const Content = contents[id];
          return { id, label: strings.tabs[id], content: <Content agent={agent} /> };
        })}
      />
    </Page>
  );
};

export const AgentScreen = () => {
  const { agentId } = route.useParams();
  const { rows, error, refresh } = useList('agents.list', {});
  const agent = rows?.find(({ id }) => id === agentId);
  if (agent !== undefined) return <AgentPage key={agent.id} agent={agent} />;
  if (rows !== undefined) return <NoSuchAgent back={back} />;
  return (
    <Page title={agentStrings.title} back={back}>
      {error ? <ErrorNote error={error} retry={() => void refresh()} /> : <Loading />}
    </Page>
  );
};
