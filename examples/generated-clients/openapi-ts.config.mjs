export default {
  input: '../../docs/openapi.json',
  output: { path: 'dist/hey-api', module: { extension: '.ts' } },
  logs: { file: false },
};
