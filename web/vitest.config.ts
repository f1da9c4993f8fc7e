// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/*.test.ts', 'tests/browser/*.test.ts'],
    testTimeout: 300000,
    hookTimeout: 120000,
    fileParallelism: false,
  },
});
