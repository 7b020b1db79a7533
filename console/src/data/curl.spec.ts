// A copied command does what the page would do, and carries no secret into the history of a terminal.
import { describe, expect, it } from '@jest/globals';
import { curlOf } from './curl.js';

describe('a command for curl', () => {
  it('names path, method and body, and takes the key from the shell', async () => {
    const command = await curlOf('agents.update', { params: { agentId: 'a1' }, body: { name: "Ann's" } });
    expect(command).toContain("-X PATCH 'http://localhost/api/v1/agents/a1'");
    expect(command).toContain('x-api-key: $PARLANCE_API_KEY');
    expect(command).toContain(`{"name":"Ann'\\''s"}`);
  });

  it('is there for an operation that answers a file too', async () => {
    const command = await curlOf('calls.export', { query: { outcome: 'busy' } });
    expect(command).toContain("curl -s 'http://localhost/api/v1/calls/export?outcome=busy'");
    expect(command).toContain('x-api-key: $PARLANCE_API_KEY');
  });

  it('goes with the session where an operation belongs to a person', async () => {
    const command = await curlOf('auth.updateUser', { body: { name: 'Ann' } });
    expect(command).toContain('cookie: $PARLANCE_COOKIE');
    expect(command).not.toContain('x-api-key');
  });

  it('leaves out passwords, codes, values that a form calls secret, headers and sensitive parameters', async () => {
    const commands = await Promise.all([
      curlOf('auth.changePassword', { body: { currentPassword: 'hidden-1', newPassword: 'hidden-2' } }),
      curlOf('secrets.create', { body: { name: 'CRM_KEY', value: 'hidden-3' } }, ['value']),
      curlOf('tools.create', {
        body: {
          name: 'look_up',
          description: 'Looks up.',
          request: { method: 'GET', url: 'https://crm.example', headers: { authorization: 'hidden-4' } },
          parameters: [
            {
              name: 'k',
              type: 'string',
              source: 'preset',
              description: '',
              value: 'hidden-5',
              sensitive: true,
            },
          ],
        } as never, // a draft, as a form holds it
      }),
    ]);
    for (const command of commands) expect(command).not.toContain('hidden-');
    expect(commands[1]).toContain('"name":"CRM_KEY","value":"<value>"');
    expect(commands[2]).toContain('"authorization":"<authorization>"');
  });

  it('keeps the sign for a stored value, which the platform understands', async () => {
    const command = await curlOf('tools.update', {
      params: { toolId: 't1' },
      body: { request: { method: 'GET', url: 'https://crm.example', headers: { a: '•••' } } } as never, // as above
    });
    expect(command).toContain('"a":"•••"');
  });
});
