// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['tests/measure/*.test.ts'], hookTimeout: 120000 },
});
