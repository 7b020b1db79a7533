// After the integration tests: nothing stays behind.
export default async function tearDown() {
  await globalThis.__parlanceTestRun?.stop();
}
