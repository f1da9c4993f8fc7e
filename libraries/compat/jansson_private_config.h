/* SPDX-License-Identifier: Apache-2.0 */
/* jansson_private_config.h - what jansson's configure script looks for is said in
 * ../meson.build. */
