/* SPDX-License-Identifier: Apache-2.0 */
/* jansson_private_config.h - nothing of what jansson's configure script looks for is needed. */
