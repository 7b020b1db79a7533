// The parts of a demonstration server that ask nothing: tools with every kind of content, resources, prompts.
import { completable, type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** A picture of one pixel, and a sound of no sample. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

const text = (value: string) => ({ type: 'text' as const, text: value });
const image = { type: 'image' as const, data: png, mimeType: 'image/png' };
const embedded = (uri: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType: 'text/plain', text: 'An embedded text.' },
});
const nothing = z.object({});

const registerContentTools = (server: McpServer): void => {
  const plain = {
    test_simple_text: [text('This is a simple text response for testing.')],
    test_image_content: [image],
    test_audio_content: [{ type: 'audio' as const, data: wav, mimeType: 'audio/wav' }],
    test_embedded_resource: [embedded('test://embedded-resource')],
    test_multiple_content_types: [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource'),
    ],
  };
  for (const [name, content] of Object.entries(plain))
    server.registerTool(name, { description: name, inputSchema: nothing }, () => ({ content }));
  server.registerTool('test_error_handling', { description: 'fails', inputSchema: nothing }, () => ({
    isError: true,
    content: [text('This tool intentionally returns an error for testing')],
  }));
  server.registerTool(
    'test_tool_with_progress',
    { description: 'tells how far it is', inputSchema: nothing },
    async (_, ctx) => {
      const progressToken = ctx.mcpReq._meta?.progressToken;
      if (progressToken !== undefined)
        for (const progress of [0, 50, 100])
          await ctx.mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 100 },
          });
      return { content: [text('done')] };
    },
  );
  for (const name of ['test_tool_with_logging', 'test_logging_tool'])
    server.registerTool(name, { description: 'writes a log', inputSchema: nothing }, async (_, ctx) => {
      for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
        await ctx.mcpReq.log('info', line);
      return { content: [text('done')] };
    });
};

const registerResources = (server: McpServer): void => {
  server.registerResource('static-text', 'test://static-text', { mimeType: 'text/plain' }, ({ href }) => ({
    contents: [
      { uri: href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
    ],
  }));
  server.registerResource('static-binary', 'test://static-binary', { mimeType: 'image/png' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: png }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, { mimeType: 'application/json' }, ({ href }, { id }) => ({
    contents: [
      {
        uri: href,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      },
    ],
  }));
};

const user = (content: ReturnType<typeof text> | typeof image | ReturnType<typeof embedded>) => ({
  role: 'user' as const,
  content,
});

const registerPrompts = (server: McpServer): void => {
  server.registerPrompt('test_simple_prompt', { description: 'without arguments' }, () => ({
    messages: [user(text('This is a simple prompt for testing.'))],
  }));
  const any = (label: string) =>
    completable(z.string().describe(label), (typed) => [`${typed}1`, `${typed}2`]);
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'with arguments', argsSchema: z.object({ arg1: any('first'), arg2: any('second') }) },
    ({ arg1, arg2 }) => ({ messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'with a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [user(embedded(resourceUri)), user(text('Please process the embedded resource above.'))],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'with a picture' }, () => ({
    messages: [user(image), user(text('Please analyze the image above.'))],
  }));
};

export const registerContent = (server: McpServer): void => {
  registerContentTools(server);
  registerResources(server);
  registerPrompts(server);
};
