// Runs the node of @mendable/n8n-nodes-firecrawl, as published, in the engine of n8n: a call a line on standard input, its
// outcome a line on standard output. The credentials come from the environment instead of n8n's store.
// Usage: node n8n.cjs <folder with the packages>, with FIRECRAWL_API_URL and FIRECRAWL_API_KEY.
const { createRequire } = require('node:module');
const { createInterface } = require('node:readline');

const packages = createRequire(`${process.argv[2]}/`);
const core = packages('n8n-core');
const { Workflow, createRunExecutionData } = packages('n8n-workflow');
const dist = '@mendable/n8n-nodes-firecrawl/dist';
const { Firecrawl } = packages(`${dist}/nodes/Firecrawl/Firecrawl.node.js`);
const { FirecrawlApi } = packages(`${dist}/credentials/FirecrawlApi.credentials.js`);

const nodeType = new Firecrawl();
const secrets = {
  baseUrl: `${process.env.FIRECRAWL_API_URL}/v2`,
  apiKey: process.env.FIRECRAWL_API_KEY,
};

/** What n8n's credential store does for a type with generic authentication. */
const credentialsHelper = {
  getParentTypes: () => [],
  isCredentialUsableByNode: () => true,
  preAuthentication: async () => undefined,
  getCredentialsProperties: () => new FirecrawlApi().properties,
  getDecrypted: async () => secrets,
  authenticate: async (_credentials, _type, request) => {
    const { headers } = new FirecrawlApi().authenticate.properties;
    const filled = Object.entries(headers).map(([name, template]) => [
      name,
      template.replace(/^=/, '').replace('{{$credentials.apiKey}}', secrets.apiKey),
    ]);
    return { ...request, headers: { ...request.headers, ...Object.fromEntries(filled) } };
  },
};

async function run(parameters) {
  const node = {
    ...{ id: '1', name: 'Firecrawl', type: 'firecrawl', typeVersion: 1, position: [0, 0] },
    parameters,
    credentials: { firecrawlApi: { id: '1', name: 'service' } },
  };
  const nodeTypes = { getByNameAndVersion: () => nodeType, getByName: () => nodeType };
  const workflow = new Workflow({
    id: '1',
    nodes: [node],
    connections: {},
    active: false,
    nodeTypes,
  });
  const additionalData = {
    credentialsHelper,
    hooks: { runHook: async () => undefined },
    currentNodeParameters: parameters,
    variables: {},
    // Addresses of n8n itself, which the engine puts together for every node.
    webhookWaitingBaseUrl: 'http://n8n.invalid/webhook-waiting',
    formWaitingBaseUrl: 'http://n8n.invalid/form-waiting',
    executionId: '1',
  };
  const items = [{ json: {} }];
  const executeData = { data: { main: [items] }, node, source: null };
  const context = new core.ExecuteContext(
    ...[workflow, workflow.getNode('Firecrawl'), additionalData, 'internal'],
    ...[createRunExecutionData({}), 0, items, executeData.data, executeData, []],
    new AbortController().signal,
  );
  const [output] = await new core.RoutingNode(context, nodeType).runNode();
  return output.map(({ json }) => json);
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, args } = JSON.parse(line);
  try {
    console.log(JSON.stringify({ id, result: await run(...args) }));
  } catch (error) {
    const { name, message, description, httpCode } = error;
    console.log(JSON.stringify({ id, error: { name, message, description, httpCode } }));
  }
});
console.log(JSON.stringify({ id: 0, result: 'ready' }));
