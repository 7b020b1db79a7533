// How the organization's calls go.

import { Answered } from '../../components/answered.js';
import { StatTile } from '../../components/card.js';
import { numberText } from '../../components/format.js';
import { Page } from '../../components/page.js';
import { useOperation } from '../../data/queries.js';
import { overviewStrings as strings } from '../../strings/overview.js';

export const OverviewScreen = () => {
  const agents = useOperation('agents.list', {});
  return (
    <Page title={strings.title}>
      <Answered query={agents}>
        {(all) => (
          <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
            <StatTile name={strings.agents} value={numberText(all.length)} />
            <StatTile
              name={strings.activeAgents}
              value={numberText(all.filter(({ isActive }) => isActive).length)}
            />
          </div>
        )}
      </Answered>
    </Page>
  );
};
