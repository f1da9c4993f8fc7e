// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['tests/*.test.ts'], testTimeout: 120000, hookTimeout: 120000, fileParallelism: false } });
