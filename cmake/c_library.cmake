# The C library for engines: dame::dame (shared) and dame::dame_static, and what `cmake --install` installs.
if(NOT DAME_C_LIBRARY)
  return()
endif()
include(${CMAKE_CURRENT_LIST_DIR}/zstd.cmake)
if(NOT TARGET dame::zstd)
  if(NOT DAME_C_LIBRARY STREQUAL AUTO)
    message(FATAL_ERROR "the C library needs libzstd (Debian: libzstd-dev), which was not found")
  endif()
  message(STATUS "libzstd was not found: the C library for engines is left out")
  return()
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

file(GLOB api_sources CONFIGURE_DEPENDS src/api/*.c)
add_library(dame_api OBJECT ${api_sources})
target_link_libraries(dame_api PRIVATE dame_options Threads::Threads dame::zstd)
target_compile_definitions(dame_api PRIVATE PROJECT_MAJOR=${PROJECT_VERSION_MAJOR} PROJECT_MINOR=${PROJECT_VERSION_MINOR}
                                            PROJECT_PATCH=${PROJECT_VERSION_PATCH})

# Until 1.0 a new minor version may change the interface.
add_library(dame SHARED $<TARGET_OBJECTS:dame_api>)
target_link_libraries(dame PRIVATE dame_core dame::zstd)
set_target_properties(dame PROPERTIES LINKER_LANGUAGE C VERSION ${PROJECT_VERSION}
                                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# In an archive hidden names are still seen by the linker, and an engine may well have a `table_open` of its own.
# So all parts are linked into one object first, and hidden names become local to it.
if(CMAKE_OBJCOPY AND NOT APPLE)
  set(static_object ${CMAKE_CURRENT_BINARY_DIR}/dame_static.o)
  add_custom_command(
    OUTPUT ${static_object}
    COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -o ${static_object} $<TARGET_OBJECTS:dame_api> $<TARGET_FILE:dame_core>
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${static_object}
    DEPENDS $<TARGET_OBJECTS:dame_api> dame_core
    COMMAND_EXPAND_LISTS VERBATIM)
  set_source_files_properties(${static_object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  # The command needs files of other targets, which Makefiles only build if a target depends on a target.
  add_custom_target(dame_static_object DEPENDS ${static_object})
  add_dependencies(dame_static_object dame_api dame_core)
  add_library(dame_static STATIC ${static_object})
  add_dependencies(dame_static dame_static_object)
else()
  add_library(dame_static STATIC $<TARGET_OBJECTS:dame_api> ${core_sources} ${kernel_objects})
  target_link_libraries(dame_static PRIVATE $<BUILD_INTERFACE:dame_core>)
endif()
target_link_libraries(dame_static PRIVATE Threads::Threads dame::zstd)
set_target_properties(dame_static PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME dame)

foreach(target IN ITEMS dame dame_static)
  target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                                                 $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  add_library(dame::${target} ALIAS ${target})
endforeach()

if(NOT DAME_INSTALL)
  return()
endif()
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/dame)
configure_package_config_file(cmake/dame-config.cmake.in dame-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(dame-config-version.cmake COMPATIBILITY SameMinorVersion)
# The prefix is given from where the file is: the tree may be moved.
file(RELATIVE_PATH prefix_from_here /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/dame.pc.in dame.pc @ONLY)

install(TARGETS dame dame_static EXPORT dame-targets)
install(EXPORT dame-targets NAMESPACE dame:: DESTINATION ${package_dir})
install(FILES src/dame.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/dame-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/dame-config-version.cmake
              cmake/zstd.cmake DESTINATION ${package_dir})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/dame.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
